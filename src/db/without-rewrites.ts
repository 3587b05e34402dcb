/**
 * Rewrites of expressions that find nothing to mend in the statements of reports and of derived tables, each a walk
 * through all of one: without them ClickHouse plans the longest of them in two thirds to four fifths of the time
 * (docs/benchmarks.md, Dashboard and Planning). None of them is about which rows are read.
 */
export const WITHOUT_REWRITES = {
  optimize_and_compare_chain: 0,
  optimize_arithmetic_operations_in_aggregate_functions: 0,
  optimize_empty_string_comparisons: 0,
  optimize_extract_common_expressions: 0,
  optimize_injective_functions_inside_uniq: 0,
  optimize_multiif_to_if: 0,
  optimize_normalize_count_variants: 0,
  optimize_or_like_chain: 0,
  optimize_redundant_functions_in_order_by: 0,
  optimize_rewrite_aggregate_function_with_if: 0,
  optimize_rewrite_array_exists_to_has: 0,
  optimize_rewrite_sum_if_to_count_if: 0,
  optimize_syntax_fuse_functions: 0,
  optimize_uniq_to_count: 0,
} as const;
