-- Step measured. One row per group: its metrics, each a part times a factor, by another part where there is a divisor,
-- and then null where that is zero. Money is rounded to cents, ratios as the reports do. A group with nothing but zeros
-- is none, unless money was left out of it. Step: grouped.
SELECT
  dimensions, labels, unconverted,
  arrayMap((part, divisor, factor, decimals) -> if(divisor != '' AND parts[divisor] = 0, NULL,
    -- Not divided where there is nothing to divide by.
    CAST(arrayMap(exact -> multiIf(decimals = 0, round(exact, 0), decimals = 2, round(exact, 2), round(exact, 4)),
      [parts[part] * factor / if(parts[divisor] = 0, 1, parts[divisor])])[1], 'Decimal(38, 4)')),
    {numerators:Array(String)}, {divisors:Array(String)}, {factors:Array(UInt16)}, {decimals:Array(UInt8)}) AS metrics
FROM grouped
WHERE notEmpty(unconverted)
  OR arrayExists(part -> parts[part] != 0, arrayConcat({numerators:Array(String)}, {divisors:Array(String)}))
