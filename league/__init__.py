"""The service: leagues, players, matches, competitions and their pages, on Django."""
