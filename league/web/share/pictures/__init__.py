"""Pictures that stand beside a link to this site: of a match, a competition, a player, and whatever else has a name."""
