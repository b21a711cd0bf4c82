"""A printed walkthrough of a small model of 2017 with random weights, computed again through the package's functions.

network.py makes the model from its recipe and keeps every variable of one forward pass. The other files hold, part by
part, what the walkthrough prints: functions from the network to a dict from the key of a display to its value.
"""
