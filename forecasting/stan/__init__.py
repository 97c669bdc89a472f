"""Prophet's fit: what its compiled Stan program gets and answers, and what is stored of it."""
