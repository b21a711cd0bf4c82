"""The site: MkDocs plugin, Markdown extension, theme, and the commands that build and serve."""
