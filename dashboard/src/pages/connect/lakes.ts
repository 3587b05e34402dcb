/**
 * How the files of a scheduled export are read, and loaded into a warehouse: of each day or hour the parts that its
 * manifest.json names, and no others, for those of the revision before stay beside them for a while. What reads runs
 * in test/integration/exports/lakes.test.ts.
 */

/** The folder of one kind, in a bucket and on a disk. */
export const LAKE = { bucket: 's3://bucket/prefix/installs', folder: '/exports/shop/installs' } as const;

/** What Python reads with: `files`, and in it the paths of all `parts`. */
const FIND_PARTS = [
  `files, root = fs.FileSystem.from_uri('${LAKE.bucket}')  # or 'file://${LAKE.folder}'`,
  'parts = []',
  'for file in files.get_file_info(fs.FileSelector(root, recursive=True)):',
  "    if file.base_name == 'manifest.json':",
  '        with files.open_input_stream(file.path) as manifest:',
  "            named = json.load(manifest)['parts']",
  "        parts += [file.path.removesuffix('manifest.json') + part['path'] for part in named]",
];

export const READ_WITH_PANDAS = [
  'import json, pandas',
  'from pyarrow import fs',
  '',
  ...FIND_PARTS,
  'rows = pandas.concat([pandas.read_parquet(files.open_input_file(part)) for part in parts], ignore_index=True)',
];

export const READ_WITH_POLARS = [
  'import json, polars',
  'from pyarrow import fs',
  '',
  ...FIND_PARTS,
  'rows = polars.concat(',
  "    [polars.read_parquet(files.open_input_file(part)) for part in parts], how='diagonal_relaxed')",
];

export const READ_WITH_DUCKDB = [
  "-- For a bucket: CREATE SECRET (TYPE s3, KEY_ID 'KEY', SECRET 'SECRET', REGION 'eu-central-1');",
  'SET VARIABLE parts = (',
  "  SELECT list(replace(manifest, 'manifest.json', part.path))",
  '  FROM (SELECT filename AS manifest, unnest(parts) AS part',
  `    FROM read_json('${LAKE.bucket}/**/manifest.json',`,
  "      filename = true, columns = {parts: 'STRUCT(path VARCHAR)[]'})));",
  "SELECT count(*) FROM read_parquet(getvariable('parts'), union_by_name = true);",
];

export const READ_WITH_SPARK = [
  'from pyspark.sql.functions import explode, input_file_name',
  '',
  `manifests = spark.read.json('s3a${LAKE.bucket.slice('s3'.length)}', multiLine=True,`,
  "    recursiveFileLookup=True, pathGlobFilter='manifest.json')",
  "named = manifests.select(input_file_name().alias('manifest'), explode('parts.path').alias('path')).collect()",
  "parts = [row.manifest.removesuffix('manifest.json') + row.path for row in named]",
  "rows = spark.read.option('mergeSchema', True).parquet(*parts)",
];

/** Keys that may write to Google's storage, the destination of the export, a table, and each period into its part. */
export const LOAD_INTO_BIGQUERY = {
  keys: [
    'gcloud storage buckets add-iam-policy-binding gs://bucket --role=roles/storage.objectAdmin \\',
    '  --member=serviceAccount:exports@PROJECT.iam.gserviceaccount.com',
    'gcloud storage hmac create exports@PROJECT.iam.gserviceaccount.com',
  ],
  destination: [
    '{"type": "s3", "bucket": "bucket", "prefix": "prefix", "endpoint": "https://storage.googleapis.com",',
    ' "region": "auto", "key": "ACCESS_ID", "secret": "SECRET"}',
  ],
  table: ['bq mk --dataset adtrail', 'bq mk --table --time_partitioning_type=DAY adtrail.installs'],
  period: [
    "period=day=2026-11-01 partition='adtrail.installs$20261101'",
    'at="gs://bucket/prefix/installs/$period"',
    'manifest=$(gcloud storage cat "$at/manifest.json")',
    'if [ "$(echo "$manifest" | jq .rows)" = 0 ]; then bq rm -f -t "$partition"; else',
    '  bq load --source_format=PARQUET --replace --schema_update_option=ALLOW_FIELD_ADDITION \\',
    '    "$partition" "$at/r$(echo "$manifest" | jq .revision)/*.parquet"',
    'fi',
  ],
} as const;

/** A stage and a table, then each period in place of what was loaded of it before. */
export const LOAD_INTO_SNOWFLAKE = {
  table: [
    'CREATE FILE FORMAT adtrail_parquet TYPE = PARQUET USE_LOGICAL_TYPE = TRUE;',
    'CREATE FILE FORMAT adtrail_json TYPE = JSON;',
    "CREATE STAGE adtrail_stage URL = 's3://bucket/prefix/'",
    "  CREDENTIALS = (AWS_KEY_ID = 'KEY' AWS_SECRET_KEY = 'SECRET');",
    'CREATE TABLE installs USING TEMPLATE (',
    '  SELECT ARRAY_AGG(OBJECT_CONSTRUCT(*)) FROM TABLE(INFER_SCHEMA(',
    "    LOCATION => '@adtrail_stage/installs/day=2026-11-01/r1/', FILE_FORMAT => 'adtrail_parquet',",
    '    IGNORE_CASE => TRUE)));',
    'ALTER TABLE installs SET ENABLE_SCHEMA_EVOLUTION = TRUE;',
    'ALTER TABLE installs ADD COLUMN loaded_from TEXT;',
  ],
  period: [
    'SELECT $1:revision FROM @adtrail_stage/installs/day=2026-11-01/manifest.json',
    '  (FILE_FORMAT => adtrail_json);',
    '-- It says 2, for example:',
    'BEGIN;',
    "DELETE FROM installs WHERE loaded_from LIKE '%/installs/day=2026-11-01/%';",
    'COPY INTO installs FROM @adtrail_stage/installs/day=2026-11-01/r2/',
    '  FILE_FORMAT = (FORMAT_NAME = adtrail_parquet) MATCH_BY_COLUMN_NAME = CASE_INSENSITIVE',
    '  INCLUDE_METADATA = (loaded_from = METADATA$FILENAME) FORCE = TRUE;',
    'COMMIT;',
  ],
} as const;
