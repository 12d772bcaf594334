"""The daemon followed: as lines, as the text of a bar, or as a view that is drawn again."""
