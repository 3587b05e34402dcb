/**
 * Files of DATA_DIR that belong to what is stored: without the first no sealed secret can be read, without the second
 * no address is recognised. Passwords of the embedded engines are of the folder, and not among them.
 */
export const SECRETS = ['admin-token', 'ip-hash-secret', 'clickhouse-reader-password'] as const;
