/** How each tool is told where ClickHouse is and who asks. */
import type { Tool } from './search';
import { shellWord } from '../../shell';

export interface Login {
  readonly address: string;
  readonly user: string;
  readonly password: string;
}

const DEFAULT_PORT: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const DATABASE = 'analytics';

const fields = (all: Readonly<Record<string, string>>) => {
  const width = Math.max(...Object.keys(all).map((name) => name.length)) + 2;
  return Object.entries(all)
    .map(([name, value]) => `${`${name}:`.padEnd(width)}${value}`)
    .join('\n');
};

export function buildConnection(tool: Tool, { address, user, password }: Login): string {
  const { protocol, hostname, port: given } = new URL(address);
  const isSecure = protocol === 'https:';
  const port = given || (DEFAULT_PORT[protocol] as string);
  const secure = isSecure ? 'on' : 'off';
  switch (tool) {
    case 'curl':
      return [
        `curl ${shellWord(`${address}/`)} --user ${shellWord(`${user}:${password}`)} \\`,
        "  --data 'SELECT count() FROM installs'",
      ].join('\n');
    case 'client':
      return [
        `clickhouse-client --host ${hostname}${isSecure ? ' --secure' : ''} \\`,
        `  --user ${user} --password ${shellWord(password)} --database ${DATABASE}`,
      ].join('\n');
    case 'python':
      return [
        'import clickhouse_connect',
        '',
        'client = clickhouse_connect.get_client(',
        `    host='${hostname}', port=${port}, secure=${isSecure ? 'True' : 'False'},`,
        `    username='${user}', password='${password}', database='${DATABASE}')`,
        "print(client.query_df('SELECT toDate(install_time) AS day, count() FROM installs GROUP BY day'))",
      ].join('\n');
    case 'metabase':
      return fields({
        Host: hostname,
        Port: port,
        'Database name': DATABASE,
        Username: user,
        Password: password,
        'Use a secure connection (SSL)': secure,
      });
    case 'grafana':
      return fields({
        'Server address': hostname,
        'Server port': port,
        Protocol: 'HTTP',
        'Secure connection': secure,
        Username: user,
        Password: password,
        'Default database': DATABASE,
      });
    case 'dbeaver':
      return fields({
        URL: `jdbc:clickhouse:${address}/${DATABASE}`,
        Username: user,
        Password: password,
      });
  }
}

/** Brings the port of the embedded ClickHouse to the machine of who reads. */
export function buildTunnel(address: string, host: string): string {
  const { port } = new URL(address);
  return `ssh -N -L ${port}:127.0.0.1:${port} ${host}`;
}
