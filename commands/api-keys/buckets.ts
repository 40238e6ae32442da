import { createHash } from 'node:crypto';
import type { Bucket, Buckets, BucketState } from '../../domain/api-keys/limits.js';
import { execute, one } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';

/** Takes one token from a bucket. Returns 0, or the milliseconds until there is one. */
export const takeFromBucket = async (tx: Tx, id: string, bucket: Bucket): Promise<number> =>
  (await count(tx, id, bucket)).wait_ms;

/** Takes one token from a bucket. Returns the bucket's new state. */
async function count(tx: Tx, id: string, bucket: Bucket): Promise<BucketState> {
  const sql = `SELECT wait, tokens FROM count_in_bucket($1, $2, $3)`;
  const { size, per_minute } = bucket;
  return toBucketState(bucket, await one<Counted>(tx, sql, [id, size, per_minute / 60]));
}

/** Takes one token from the bucket of a client, identified by its IPv4 address or IPv6 /64. */
async function addToBucket(tx: Tx, what: string, address: string, bucket: Bucket): Promise<BucketState> {
  const sql = `SELECT wait, tokens FROM count_in_bucket($1 || '_' || address_bucket($4), $2, $3)`;
  const { size, per_minute } = bucket;
  return toBucketState(bucket, await one<Counted>(tx, sql, [what, size, per_minute / 60, address]));
}

interface NamedBucket {
  id: string;
  bucket: Bucket;
}

/**
 * Takes one token from the narrow bucket, if there is one, then from the wide one. Returns the bucket that
 * refuses, otherwise the narrower one.
 */
async function countBoth(tx: Tx, narrow: NamedBucket | null, wide: NamedBucket): Promise<BucketState> {
  const first = narrow && (await count(tx, narrow.id, narrow.bucket));
  if (first && first.wait_ms > 0) return first;
  const second = await count(tx, wide.id, wide.bucket);
  return first && second.wait_ms === 0 ? first : second;
}

/** A row of `count_in_bucket`. The wait is in seconds. */
interface Counted {
  wait: number;
  tokens: number;
}

const toBucketState = ({ size, per_minute }: Bucket, { wait, tokens }: Counted): BucketState => ({
  size,
  per_minute,
  tokens,
  wait_ms: Math.ceil(wait * 1000),
});

/**
 * Counts a webhook request against its address before it is read. An IPv6 client is identified by its /64.
 * Like the functions below, returns the bucket; the request is refused if it has to wait.
 */
export const takeWebhook = (tx: Tx, address: string, { webhook }: Buckets): Promise<BucketState> =>
  addToBucket(tx, 'webhooks', address, webhook);

/** Counts a sign-in that an address begins at a provider, or a refused answer of a provider. */
export const takeSso = (
  tx: Tx,
  address: string,
  what: 'start' | 'refused',
  { sso }: Buckets,
): Promise<BucketState> => addToBucket(tx, `sso_${what}`, address, sso);

/** Counts a page that a person opens. With `form`, counts a form that they submit and returns its bucket. */
export async function takePage(
  tx: Tx,
  profileId: string,
  isForm: boolean,
  buckets: Buckets,
): Promise<BucketState> {
  const forms = { id: `person_${profileId}_forms`, bucket: buckets.form };
  return countBoth(tx, isForm ? forms : null, { id: `person_${profileId}`, bucket: buckets.page });
}

/** Counts a PDF or an export in the dashboard. */
export const takePageDocument = (
  tx: Tx,
  profileId: string,
  { page_document }: Buckets,
): Promise<BucketState> => count(tx, `person_${profileId}_documents`, page_document);

/** Counts a page of a payer's link or checkout. With `isDocument`, counts a PDF and returns its bucket. */
export async function takeLink(
  tx: Tx,
  id: string,
  isDocument: boolean,
  buckets: Buckets,
): Promise<BucketState> {
  const documents = { id: `link_${id}_documents`, bucket: buckets.document };
  return countBoth(tx, isDocument ? documents : null, { id: `link_${id}`, bucket: buckets.link });
}

const TAKE_LINK_AND_LOOK = `WITH link AS MATERIALIZED (SELECT wait, tokens FROM count_in_bucket($1, $2, $3))
  SELECT wait, tokens, CASE WHEN wait = 0 THEN take_from_bucket($4, $5, $6) = 0 ELSE false END AS may_look
  FROM link`;

/**
 * Does `takeLink` for a page of a checkout and `takeLook` in one statement. The result also says whether the
 * page may query the processor now.
 */
export async function takeLinkAndLook(
  tx: Tx,
  id: string,
  { link, look }: Buckets,
): Promise<{ bucket: BucketState; mayLook: boolean }> {
  const values = [
    `link_${id}`,
    link.size,
    link.per_minute / 60,
    `look_${id}`,
    look.size,
    look.per_minute / 60,
  ];
  const taken = await one<Counted & { may_look: boolean }>(tx, TAKE_LINK_AND_LOOK, values);
  return { bucket: toBucketState(link, taken), mayLook: taken.may_look };
}

/** Returns whether a page about a checkout or a connected account may query the processor now. */
export const takeLook = async (tx: Tx, id: string, { look }: Buckets): Promise<boolean> =>
  (await takeFromBucket(tx, `look_${id}`, look)) === 0;

/**
 * Returns the id of the bucket for mail of one kind to one address. It contains a digest, never the address.
 */
export const recipientBucket = (...parts: string[]): string =>
  `mail_${createHash('sha256').update(parts.join('\n')).digest('base64url')}`;

/** Returns how many tokens a bucket had before this transaction took one. */
export const tokensBefore = async (tx: Tx, id: string): Promise<number> =>
  1 + (await one<{ tokens: number }>(tx, `SELECT tokens FROM rate_limit_buckets WHERE id = $1`, [id])).tokens;

/**
 * Puts a token back into a bucket. A bucket that is too full is limited to its size the next time it is used.
 */
export const returnToBucket = (tx: Tx, id: string): Promise<void> =>
  execute(tx, `UPDATE rate_limit_buckets SET tokens = tokens + 1 WHERE id = $1`, [id]);

/** Uses up a proof of work by its id. Returns false if it was already used. */
export const spendProof = async (tx: Tx, id: string): Promise<boolean> =>
  (await takeFromBucket(tx, `proof_${id}`, { size: 1, per_minute: 1 / 60 })) === 0;
