import pg from 'pg';

/**
 * Creates the service's role unless it exists, and returns the URL of the owner's database for it. Null if
 * the owner cannot create roles, or the server rejects the role: then the service runs as the owner.
 */
export async function prepareServiceRole(
  ownerUrl: string,
  role: { name: string; password: string },
): Promise<string | null> {
  const url = new URL(ownerUrl);
  url.username = role.name;
  url.password = role.password;
  try {
    await connected(ownerUrl, async (owner) => {
      const { rowCount } = await owner.query(`SELECT FROM pg_roles WHERE rolname = $1`, [role.name]);
      const [name, password] = [owner.escapeIdentifier(role.name), owner.escapeLiteral(role.password)];
      if (rowCount === 0) await owner.query(`CREATE ROLE ${name} LOGIN PASSWORD ${password}`);
    });
    await connected(url.href, (service) => service.query('SELECT'));
    return url.href;
  } catch {
    // If the server is unavailable, the migration that follows reports it.
    return null;
  }
}

async function connected(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
