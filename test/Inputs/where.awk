# Of `appyc --emit=fired`, the functions that one pass changes:  awk -f where.awk pass=NAME
{ for (i = 2; i <= NF; ++i) if ($i == pass) names = names " " substr($1, 1, length($1) - 1) }
END { print pass ":" names }
