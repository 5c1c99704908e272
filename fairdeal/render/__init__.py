"""Reports and transcripts for people (text) and for programs (versioned JSON); nothing here prints."""
