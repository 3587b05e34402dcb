/** The statements of the query files whose rows the code gives a type, found in its source by the compiler. */
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(__dirname, '..', '..', '..');

/** What a value may be in TypeScript; an interface or a list is `object`, and `any` fits everything. */
export type Kind = 'string' | 'number' | 'boolean' | 'Date' | 'object' | 'null' | 'any';

export interface TypedStatement {
  readonly engine: 'sql' | 'clickhouse';
  readonly name: string;
  /** Where it is given its type, for messages. */
  readonly at: string;
  readonly columns: ReadonlyMap<string, ReadonlySet<Kind>>;
}

/** Every `postgresQuery<Row>('name')`, `query<Row>('name')`, and `db.rows<Row>(text)` of a text from `readQuery`. */
export function findTypedStatements(): TypedStatement[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    path.join(root, 'tsconfig.json'),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: () => undefined,
    },
  );
  const files = (config?.fileNames ?? []).filter((file) => file.startsWith(path.join(root, 'src') + path.sep));
  const program = ts.createProgram(files, { ...config?.options, noEmit: true });
  const checker = program.getTypeChecker();
  const found: TypedStatement[] = [];
  for (const source of program.getSourceFiles()) {
    if (source.isDeclarationFile || !files.includes(source.fileName)) continue;
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isCallExpression(node) || node.typeArguments?.length !== 1) return;
      const [row] = node.typeArguments;
      const statement = findStatement(node, checker);
      if (!row || !statement) return;
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      const at = `${path.relative(root, source.fileName)}:${line + 1}`;
      found.push({ ...statement, at, columns: readColumns(checker.getTypeFromTypeNode(row), row, checker) });
    };
    visit(source);
  }
  return found;
}

/** Which statement a call runs; undefined where the text is put together, or is in no file. */
function findStatement(
  { expression, arguments: [first] }: ts.CallExpression,
  checker: ts.TypeChecker,
): Pick<TypedStatement, 'engine' | 'name'> | undefined {
  if (!first) return undefined;
  if (ts.isIdentifier(expression) && ts.isStringLiteral(first)) {
    if (expression.text === 'postgresQuery') return { engine: 'sql', name: first.text };
    if (expression.text === 'query') return { engine: 'clickhouse', name: first.text };
  }
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'rows') return undefined;
  const declared = checker.getSymbolAtLocation(ts.isPropertyAccessExpression(first) ? first.name : first);
  const declaration = declared?.valueDeclaration;
  const made =
    declaration && (ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration))
      ? declaration.initializer
      : undefined;
  if (!made || !ts.isCallExpression(made) || made.expression.getText() !== 'readQuery') return undefined;
  const [engine, name, steps] = made.arguments;
  if (!engine || !name || steps || !ts.isStringLiteral(engine) || !ts.isStringLiteral(name)) return undefined;
  return { engine: engine.text as TypedStatement['engine'], name: name.text };
}

function readColumns(row: ts.Type, node: ts.Node, checker: ts.TypeChecker): Map<string, Set<Kind>> {
  return new Map(
    checker.getPropertiesOfType(row).map((property) => {
      const type = checker.getTypeOfSymbolAtLocation(property, node);
      const parts = type.isUnion() ? type.types : [type];
      return [property.name, new Set(parts.map((part) => readKind(part, checker)))];
    }),
  );
}

function readKind(type: ts.Type, checker: ts.TypeChecker): Kind {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return 'any';
  if (type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) return 'null';
  if (type.flags & ts.TypeFlags.StringLike) return 'string';
  if (type.flags & ts.TypeFlags.NumberLike) return 'number';
  if (type.flags & ts.TypeFlags.BooleanLike) return 'boolean';
  return checker.typeToString(type) === 'Date' ? 'Date' : 'object';
}
