"""Pictures beside a link to this site, for every kind of page that has a name."""
