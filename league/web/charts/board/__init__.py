"""The table as a picture: where each tile lies, and the drawing of it."""
