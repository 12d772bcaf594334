"""What the desktop does to the daemon: displays and buses that die, hang and come back."""
