"""The club: leagues, players, matches, competitions and their pages, on Django."""
