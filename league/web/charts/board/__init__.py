"""Picture of the table: positions of the tiles, and their drawing."""
