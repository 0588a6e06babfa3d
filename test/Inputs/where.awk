# Of `appyc --emit=fired`, the functions that passes change:  awk -f where.awk pass=NAME[,NAME]...
NR == 1 { count = split(pass, passes, ",") }
{ for (p = 1; p <= count; ++p)
    for (i = 2; i <= NF; ++i)
      if ($i == passes[p]) names[p] = names[p] " " substr($1, 1, length($1) - 1) }
END { for (p = 1; p <= count; ++p) print passes[p] ":" names[p] }
