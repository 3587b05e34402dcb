/** The SQL surgery of the embedded ClickHouse: kinds of statements, spliced outputs, headers of INSERTs. */
import { ClickHouseException, errorOfEngine, withGetHint } from '../../../src/embedded/clickhouse/errors';
import { planInsert } from '../../../src/embedded/clickhouse/insert';
import { ConnectionPool } from '../../../src/embedded/clickhouse/session-pool';
import { buildPreamble, quote, readScope } from '../../../src/embedded/clickhouse/settings';
import { callsFile, classify, planQuery } from '../../../src/embedded/clickhouse/statement';
import { tokenize } from '../../../src/embedded/clickhouse/tokens';

const texts = (sql: string) => [...tokenize(sql)].map((token) => sql.slice(token.start, token.end));
const withCode = (code: number) => expect.objectContaining({ code }) as Error;
const into = (sql: string) => planQuery(sql, 'TabSeparated').into("'P'").replace(/ +/g, ' ').trim();

describe('tokenize', () => {
  test.each([
    ["SELECT 'a''b', 'c\\'d', 'e\\\\'", ['SELECT', "'a''b'", ',', "'c\\'d'", ',', "'e\\\\'"]],
    ['`a``b` "c\\"d" e', ['`a``b`', '"c\\"d"', 'e']],
    ["a -- b '\n c # d\n e #! f\n g /* ' ; */ h", ['a', 'c', 'e', 'g', 'h']],
    ['#5', ['#', '5']],
    ["$$ it's; $$ $tag$ $$ $tag$ x", ["$$ it's; $$", '$tag$ $$ $tag$', 'x']],
    ['a$b $', ['a$b', '$']],
    ['Größe — 名前', ['Größe', '—', '名前']],
    ["'unclosed ; x", ["'unclosed ; x"]],
    ['1 /* unclosed', ['1']],
    ['1 -- end', ['1']],
    ['a->b', ['a', '-', '>', 'b']],
    ['', []],
  ])('%s', (sql, expected) => {
    expect(texts(sql)).toEqual(expected);
  });

  test('depth counts brackets of every kind, and brackets themselves as outside', () => {
    expect([...tokenize('a(b[c]{d})e)')].map((token) => token.depth)).toEqual([0, 0, 1, 1, 2, 1, 1, 2, 1, 0, 0, 0]);
  });

  test('a string of many megabytes does not exhaust the stack', () => {
    expect(texts(`SELECT '${"x''\\'".repeat(1_000_000)}'`)).toHaveLength(2);
  });
});

describe('kindOf', () => {
  test.each([
    ['', 'empty'],
    ['  -- nothing\n /* at all */ ;', 'empty'],
    ['select 1', 'query'],
    ['/* c */ (SELECT 1) UNION ALL (SELECT 2)', 'query'],
    ['((select 1))', 'query'],
    ['FROM t SELECT a', 'query'],
    ['WITH 1 AS x SELECT x', 'query'],
    ['WITH (SELECT 1) AS x SELECT x', 'query'],
    ['WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x', 'insert'],
    ['show tables', 'query'],
    ['DESC t', 'query'],
    ['describe t', 'query'],
    ['EXPLAIN SELECT 1', 'query'],
    ['EXISTS t', 'query'],
    ['# comment\nINSERT INTO t VALUES (1)', 'insert'],
    ['insert into t format CSV 1', 'insert'],
    ['CREATE TABLE t AS SELECT 1', 'command'],
    ['ALTER TABLE t DELETE WHERE 1', 'command'],
    ['SET a = 1', 'command'],
    ['1 + 1', 'command'],
    ['`SELECT`', 'command'],
  ])('%s is %s', (sql, kind) => {
    expect(classify(sql)).toBe(kind);
  });
});

describe('planQuery', () => {
  const OUT = "INTO OUTFILE 'P' APPEND";
  test.each([
    ['SELECT 1', `SELECT 1 ${OUT} FORMAT TabSeparated`],
    ['SELECT 1;', `SELECT 1 ${OUT} FORMAT TabSeparated`],
    ['SELECT 1 ; -- done; really', `SELECT 1 ${OUT} FORMAT TabSeparated`],
    ['SELECT 1 -- FORMAT JSON', `SELECT 1 ${OUT} FORMAT TabSeparated`],
    ['SELECT 1 # FORMAT JSON', `SELECT 1 ${OUT} FORMAT TabSeparated`],
    ['SELECT 1 format json', `SELECT 1 ${OUT} format json`],
    ['SELECT 1 FORMAT JSON ; ', `SELECT 1 ${OUT} FORMAT JSON`],
    ['SELECT 1 FORMAT /* x */ JSON -- y', `SELECT 1 ${OUT} FORMAT /* x */ JSON`],
    ['SELECT 1 FORMAT JSON SETTINGS max_threads=1', `SELECT 1 ${OUT} FORMAT JSON SETTINGS max_threads=1`],
    ['SELECT 1 SETTINGS max_threads=1 FORMAT JSON', `SELECT 1 SETTINGS max_threads=1 ${OUT} FORMAT JSON`],
    ['SELECT 1 SETTINGS max_threads=1', `SELECT 1 SETTINGS max_threads=1 ${OUT} FORMAT TabSeparated`],
    ['DESCRIBE t SETTINGS max_threads=1', `DESCRIBE t ${OUT} FORMAT TabSeparated SETTINGS max_threads=1`],
    ["SELECT ' FORMAT JSON'", `SELECT ' FORMAT JSON' ${OUT} FORMAT TabSeparated`],
    ['SELECT $$ FORMAT JSON$$', `SELECT $$ FORMAT JSON$$ ${OUT} FORMAT TabSeparated`],
    ['SELECT 1 AS `x FORMAT y`', `SELECT 1 AS \`x FORMAT y\` ${OUT} FORMAT TabSeparated`],
    ["SELECT format('{}', 1)", `SELECT format('{}', 1) ${OUT} FORMAT TabSeparated`],
    [
      'SELECT a, format FROM t ORDER BY format DESC',
      `SELECT a, format FROM t ORDER BY format DESC ${OUT} FORMAT TabSeparated`,
    ],
    ['SELECT format FROM t', `SELECT format FROM t ${OUT} FORMAT TabSeparated`],
    ['SELECT * FROM t ORDER BY a, format ASC FORMAT CSV', `SELECT * FROM t ORDER BY a, format ASC ${OUT} FORMAT CSV`],
    ['SELECT * FROM (SELECT 1 FORMAT x) FORMAT CSV', `SELECT * FROM (SELECT 1 FORMAT x) ${OUT} FORMAT CSV`],
    ['SELECT count(*) FORMAT CSV', `SELECT count(*) ${OUT} FORMAT CSV`],
    ['SELECT * FORMAT CSV', `SELECT * ${OUT} FORMAT CSV`],
    ['SELECT settings FROM t', `SELECT settings FROM t ${OUT} FORMAT TabSeparated`],
    ['SHOW TABLES', `SHOW TABLES ${OUT} FORMAT TabSeparated`],
  ])('%s', (sql, expected) => {
    expect(into(sql)).toBe(expected);
  });

  test.each([
    ['SELECT 1; SELECT 2', 62],
    ['SELECT 1;; DROP TABLE t', 62],
    ["SELECT 1 INTO OUTFILE '/tmp/x'", 358],
    ["SELECT 1 into /* */ outfile '/tmp/x' FORMAT CSV", 358],
  ])('refuses %s', (sql, code) => {
    expect(() => planQuery(sql, 'CSV')).toThrow(withCode(code));
  });

  test('a semicolon inside a literal or a comment ends nothing', () => {
    expect(into("SELECT ';' /* ; */ -- ;\n, 1")).toBe(
      "SELECT ';' /* ; */ -- ;\n, 1 INTO OUTFILE 'P' APPEND FORMAT TabSeparated",
    );
  });
});

describe('planInsert', () => {
  const plan = (sql: string) => {
    const found = planInsert(sql);
    return found.kind === 'data' ? [found.from("'F'").replace(/ +/g, ' '), sql.slice(found.dataStart)] : found.kind;
  };
  test.each([
    ['INSERT INTO t FORMAT CSV\n1,2\n', ["INSERT INTO t FROM INFILE 'F' FORMAT CSV", '1,2\n']],
    ['INSERT INTO t FORMAT CSV \r\n1', ["INSERT INTO t FROM INFILE 'F' FORMAT CSV", '1']],
    ['INSERT INTO t FORMAT RowBinary\n\n\n', ["INSERT INTO t FROM INFILE 'F' FORMAT RowBinary", '\n\n']],
    ['INSERT INTO t FORMAT RowBinary\n;\x00\xff', ["INSERT INTO t FROM INFILE 'F' FORMAT RowBinary", ';\x00\xff']],
    [
      'insert t (a, `format`) values (1, 2), (3, 4);',
      ["insert t (a, `format`) FROM INFILE 'F' FORMAT Values", ' (1, 2), (3, 4);'],
    ],
    ['INSERT INTO db.values VALUES (1)', ["INSERT INTO db.values FROM INFILE 'F' FORMAT Values", ' (1)']],
    ['INSERT INTO values VALUES(1)', ["INSERT INTO values FROM INFILE 'F' FORMAT Values", '(1)']],
    [
      'INSERT INTO {db:Identifier}.{t:Identifier} FORMAT TSV 1',
      ["INSERT INTO {db:Identifier}.{t:Identifier} FROM INFILE 'F' FORMAT TSV", '1'],
    ],
    [
      "INSERT INTO TABLE FUNCTION null('a Int8') FORMAT TSV 1",
      ["INSERT INTO TABLE FUNCTION null('a Int8') FROM INFILE 'F' FORMAT TSV", '1'],
    ],
    [
      "INSERT INTO t SETTINGS a=1, b='FORMAT x' FORMAT TSV\n1",
      ["INSERT INTO t FROM INFILE 'F' SETTINGS a=1, b='FORMAT x' FORMAT TSV", '1'],
    ],
    [
      "INSERT INTO t FORMAT TSV SETTINGS a=-1.5, b=['x', 'y']\n1\t2",
      ["INSERT INTO t FROM INFILE 'F' SETTINGS a=-1.5, b=['x', 'y'] FORMAT TSV", '1\t2'],
    ],
    [
      'INSERT INTO t FORMAT JSONEachRow {"a": "it\'s FORMAT"}',
      ["INSERT INTO t FROM INFILE 'F' FORMAT JSONEachRow", '{"a": "it\'s FORMAT"}'],
    ],
    ['INSERT INTO t FORMAT JSONEachRow', ["INSERT INTO t FROM INFILE 'F' FORMAT JSONEachRow", '']],
    ['INSERT INTO t SELECT 1', 'select'],
    ['INSERT INTO t (a) WITH 1 AS x SELECT x', 'select'],
    ['INSERT INTO t (SELECT 1)', 'select'],
    ['WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x', 'select'],
  ])('%j', (sql, expected) => {
    expect(plan(sql)).toEqual(expected);
  });

  test.each([
    ['INSERT INTO t SELECT 1; DROP TABLE t', 62],
    ['INSERT INTO t FORMAT CSV;\n1', 62],
    ["INSERT INTO t FROM INFILE '/etc/passwd' FORMAT CSV", 78],
    ["INSERT INTO t SELECT a FROM input('a Int8') FORMAT CSV 1", 48],
  ])('refuses %s', (sql, code) => {
    expect(() => planInsert(sql)).toThrow(withCode(code));
  });
});

describe('settings', () => {
  const preamble = (given: Record<string, string>, isGet = false, database = '') =>
    buildPreamble(readScope(Object.entries(given), database), isGet);

  test('quoted values cannot end their literal', () => {
    expect(quote("a'b\\c\0")).toBe("'a\\'b\\\\c\\0'");
    expect(texts(quote("\\'; DROP TABLE t; --"))).toHaveLength(1);
  });

  test('parameters of the HTTP interface are no settings; readonly comes last', () => {
    expect(preamble({ query: 'x', wait_end_of_query: '1', readonly: '1', max_threads: "1'" }, false, 'd`b')).toBe(
      "SET max_threads='1\\'', implicit_select='0', async_insert='0'; USE `d\\`b`; SET readonly='1'; ",
    );
  });

  test('GET is read-only and cannot be talked out of it', () => {
    expect(preamble({}, true)).toContain("SET readonly='2'");
    expect(() => preamble({ readonly: '0' }, true)).toThrow(withCode(164));
  });

  test.each([
    ['a=1, b', 115],
    ['', 115],
    ['1a', 115],
    ["param_x'; DROP", 36],
    ['param_', 36],
  ])('refuses the name %j', (name, code) => {
    expect(() => preamble({ [name]: '1' })).toThrow(withCode(code));
  });
});

describe('errors of the engine', () => {
  test("wrapped texts of the engine become the server's", () => {
    const text =
      'Code: 73. DB::Exception: Code: 73. DB::Exception: Unknown format x. (UNKNOWN_FORMAT) (version 26.7.2.1). ' +
      '(UNKNOWN_FORMAT)';
    expect(errorOfEngine(new Error(text)).render('26.7.2.1')).toBe(
      'Code: 73. DB::Exception: Unknown format x. (UNKNOWN_FORMAT) (version 26.7.2.1)',
    );
  });

  test('our pipes and files are not named', () => {
    const error = errorOfEngine(
      new Error(
        "Code: 62. DB::Exception: Syntax error: INTO OUTFILE '/data/out\\'put-1' APPEND FORMAT TSV (in file/uri " +
          '/data/x): y. (SYNTAX_ERROR)',
      ),
    );
    expect(error.message).not.toContain('/data');
    expect([error.code, error.type, error.httpStatus]).toEqual([62, 'SYNTAX_ERROR', 400]);
  });

  test('the hint about POST', () => {
    expect(
      withGetHint(new ClickHouseException(164, 'READONLY', 'default: Cannot execute query in readonly mode')).message,
    ).toContain('You should use method POST');
  });
});

test('a pool runs as many at once as it has slots, the rest in order', async () => {
  const pool = new ConnectionPool(['a', 'b']);
  const log: string[] = [];
  const work = (name: string) =>
    pool.use(async (slot) => {
      log.push(`${name}${slot}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (name === '2') throw new Error('failed');
    });
  await Promise.allSettled(['1', '2', '3', '4'].map(work));
  expect(log.map((entry) => entry.charAt(0))).toEqual(['1', '2', '3', '4']);
  expect(new Set(log.slice(0, 2).map((entry) => entry.charAt(1)))).toEqual(new Set(['a', 'b']));
});

test.each([
  ["SELECT file('x')", true],
  ["SELECT `file`('x')", true],
  ["SELECT FILE /* a */ ('x')", true],
  ["SELECT arrayMap(file, ['x'])", true],
  ["SELECT arrayMap(x -> file(x), ['x'])", true],
  ["SELECT * APPLY file FROM (SELECT 'x')", true],
  ["SELECT * APPLY(file) FROM (SELECT 'x')", true],
  ["INSERT INTO t SELECT file('x')", true],
  ["INSERT INTO FUNCTION file('x', 'CSV', 'a UInt8') VALUES (1)", true],
  ["SELECT 'file(1)', file FROM t -- file(x)", false],
  ['SELECT file, count() FROM t GROUP BY file', false],
  ["INSERT INTO t VALUES (file('x'))", false],
  ['INSERT INTO t FORMAT CSV\nfile(1)', false],
  ['SELECT profile(1), file_name FROM t', false],
])('%s calls file(): %s', (sql, expected) => {
  expect(callsFile(sql)).toBe(expected);
});
