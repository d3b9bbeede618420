"""The rewards with the signatures of other trainers, one file each."""
