/**
 * Settings by which drivers ask for the SQL of other databases: Tableau's that an outer join gives NULL, Power BI's
 * that a cast keeps NULL and a name is first that of a column. Readers may set them; views are what they are whatever
 * their reader sets.
 */
export const DIALECT_SETTINGS = ['cast_keep_nullable', 'join_use_nulls', 'prefer_column_name_to_alias'] as const;
