"""``python -m transformer``: training and generating."""

import sys

if __name__ == "__main__":
    try:
        from transformer.command_line.streams import open_closed

        open_closed()  # before other files are opened, which could have the descriptor of a stream
        from transformer.command_line.main import main  # here, since Ctrl-C may come while NumPy is read

        code = main(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)
