"""What the models are trained on: made here by a stated rule, or read from a user's file."""
