import { RETENTION_DAYS } from '../../../domain/retention/retention.js';
import { many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** How many links are read at once. */
const PAGE = 1_000;

/**
 * How much the time of an entry may differ from the time at which it was stored, in minutes: longer than a
 * transaction.
 */
const MAX_MINUTES_APART = 5;

/** The first entry of an audit log that is not as the service stored it. */
export interface AuditFault {
  kind: 'changed' | 'missing' | 'inserted';
  /** Null if its link is also missing. */
  entry: number | null;
  /** Its position in the chain. Null for an entry without a link. */
  position: number | null;
}

export interface AuditVerification {
  fault: AuditFault | null;
  verified: number;
  /**
   * The last link: `<position>:<hash>`. A later chain with the same link contains the same entries up to it.
   */
  head: string | null;
}

/** A link of a workspace's chain, and how it compares with its entry. */
interface Link {
  position: number;
  entry: number;
  hash: string;
  /** True if its hash follows from the previous one and its content. */
  follows: boolean;
  state: 'intact' | 'erased' | 'expired' | AuditFault['kind'];
  /** The digest of the entry without a salt. */
  unsalted: string;
}

/**
 * Returns links of a workspace after a position, in order. `expired`: the entry may have been deleted because
 * of its age; `erased`: the entry is compared with its erasure; `inserted`: the entry is not dated when it
 * was stored.
 */
const listLinks = (tx: Tx, workspaceId: string, after: number): Promise<Link[]> =>
  many(
    tx,
    `SELECT l.position, l.entry, encode(l.hash, 'hex') AS hash,
            coalesce(l.hash = audit_link_hash(CASE l.position WHEN 1 THEN '' ELSE p.hash END, l),
              false) AS follows,
            CASE WHEN a.id IS NULL AND l.stored_at < now() - $4 * interval '1 day' THEN 'expired'
                 WHEN a.id IS NULL THEN 'missing'
                 WHEN a.workspace_id <> $1 THEN 'changed'
                 WHEN l.salt IS NULL THEN 'erased'
                 WHEN audit_entry_digest(a, l.salt) <> l.digest THEN 'changed'
                 WHEN abs(extract(epoch FROM a.at - l.stored_at)) > $5 * 60 THEN 'inserted'
                 ELSE 'intact' END AS state,
            encode(audit_entry_digest(a, NULL), 'hex') AS unsalted
     FROM audit_links l
     LEFT JOIN audit_log a ON a.id = l.entry
     LEFT JOIN audit_links p ON p.workspace_id = l.workspace_id AND p.position = l.position - 1
     WHERE l.workspace_id = $1 AND l.position > $2 ORDER BY l.position LIMIT $3`,
    [workspaceId, after, PAGE, RETENTION_DAYS.audit_log, MAX_MINUTES_APART],
  );

/** Returns the digests of what stays of erased entries, from the latest erasure of each. */
async function findErasedDigests(tx: Tx, workspaceId: string): Promise<Map<number, string>> {
  const rows = await many<{ entry: number; digest: string }>(
    tx,
    `SELECT (e ->> 'entry')::bigint AS entry, e ->> 'digest' AS digest
     FROM audit_log a JOIN audit_links l ON l.entry = a.id, jsonb_array_elements(a.details -> 'entries') e
     WHERE a.workspace_id = $1 AND a.action = 'audit_log.erased' ORDER BY l.position`,
    [workspaceId],
  );
  return new Map(rows.map(({ entry, digest }) => [entry, digest]));
}

/** Returns the first entry of a workspace that has no link. */
const findUnchained = (tx: Tx, workspaceId: string): Promise<{ id: number } | null> =>
  maybeOne(
    tx,
    `SELECT a.id FROM audit_log a
     WHERE a.workspace_id = $1 AND NOT EXISTS (SELECT FROM audit_links l WHERE l.entry = a.id)
     ORDER BY a.id LIMIT 1`,
    [workspaceId],
  );

/**
 * Verifies a workspace's audit log against its chain (docs/rules/credentials.md#audit-log). `tx` must be a
 * transaction that sees one state of the database. `expected` is the head of an earlier verification.
 */
export async function verifyAuditLog(
  tx: Tx,
  workspaceId: string,
  expected?: { position: number; hash: string },
): Promise<AuditVerification> {
  const erased = await findErasedDigests(tx, workspaceId);
  const unchained = await findUnchained(tx, workspaceId);
  let [verified, last]: [number, Link | undefined] = [0, undefined];
  const findLinkFault = (link: Link): AuditFault['kind'] | null => {
    const { position, state } = link;
    // Links of expired entries are deleted except for the last one.
    if (last ? position !== last.position + 1 : position !== 1 && state !== 'expired') return 'missing';
    if (!link.follows && !(last === undefined && state === 'expired')) return 'changed';
    if (expected?.position === position && expected.hash !== link.hash) return 'changed';
    if (state === 'erased') return erased.get(link.entry) === link.unsalted ? null : 'changed';
    return state === 'intact' || state === 'expired' ? null : state;
  };
  const head = () => last && `${last.position}:${last.hash}`;
  for (;;) {
    const links = await listLinks(tx, workspaceId, last?.position ?? 0);
    for (const link of links) {
      const kind = findLinkFault(link);
      if (kind !== null) {
        const isGap = link.position !== (last?.position ?? 0) + 1;
        const position = isGap ? (last?.position ?? 0) + 1 : link.position;
        const fault = { kind, entry: isGap ? null : link.entry, position };
        return { fault: earlierFault(fault, unchained), verified, head: head() ?? null };
      }
      verified++;
      last = link;
    }
    if (links.length < PAGE) break;
  }
  const cut = expected && expected.position > (last?.position ?? 0);
  const fault = cut ? { kind: 'missing' as const, entry: null, position: (last?.position ?? 0) + 1 } : null;
  return { fault: earlierFault(fault, unchained), verified, head: head() ?? null };
}

/** Returns a fault in the chain or an entry without a link, whichever is earlier in the log. */
function earlierFault(fault: AuditFault | null, unchained: { id: number } | null): AuditFault | null {
  if (!unchained || (fault?.entry && fault.entry < unchained.id)) return fault;
  return { kind: 'inserted', entry: unchained.id, position: null };
}
