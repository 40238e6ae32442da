import { createHash } from 'node:crypto';
import type { Bucket, Buckets } from '../../domain/limits.js';
import { execute, one } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';

/** Takes one token from a bucket. Returns 0, or how many milliseconds until there is one. */
export const takeFromBucket = (tx: Tx, id: string, bucket: Bucket): Promise<number> =>
  take(tx, '$1', id, bucket);

/** The same, for SQL for the bucket's id, of which `$1` is the value. */
async function take(tx: Tx, id: string, value: string, { size, per_minute }: Bucket): Promise<number> {
  const sql = `SELECT take_from_bucket(${id}, $2, $3) AS wait`;
  const { wait } = await one<{ wait: number }>(tx, sql, [value, size, per_minute / 60]);
  return Math.ceil(wait * 1000);
}

/**
 * How long an address has to wait until another webhook from it is read; 0 if it need not. An IPv6 client is identified by its
 * /64. In ms.
 */
export const takeWebhook = (tx: Tx, address: string, { webhook }: Buckets): Promise<number> =>
  take(tx, `'webhooks_' || address_bucket($1)`, address, webhook);

/** How long a person has to wait to open a page or, as `form`, to submit a form; 0 if they need not. In ms. */
export async function takePage(
  tx: Tx,
  profileId: string,
  isForm: boolean,
  buckets: Buckets,
): Promise<number> {
  const forms = isForm ? await takeFromBucket(tx, `person_${profileId}_forms`, buckets.form) : 0;
  return forms > 0 ? forms : takeFromBucket(tx, `person_${profileId}`, buckets.page);
}

/** How long a person has to wait until a PDF or an export of the dashboard is made; 0 if they need not. In ms. */
export const takePageDocument = (tx: Tx, profileId: string, { page_document }: Buckets): Promise<number> =>
  takeFromBucket(tx, `person_${profileId}_documents`, page_document);

/**
 * How long a link or checkout of a payer has to wait until a page of it is shown or, as `isDocument`, a PDF is rendered; 0 if
 * it need not. In ms.
 */
export async function takeLink(tx: Tx, id: string, isDocument: boolean, buckets: Buckets): Promise<number> {
  const documents = isDocument ? await takeFromBucket(tx, `link_${id}_documents`, buckets.document) : 0;
  return documents > 0 ? documents : takeFromBucket(tx, `link_${id}`, buckets.link);
}

const TAKE_LINK_AND_LOOK = `WITH link AS MATERIALIZED (SELECT take_from_bucket($1, $2, $3) AS wait)
  SELECT wait, CASE WHEN wait = 0 THEN take_from_bucket($4, $5, $6) = 0 ELSE false END AS may_look FROM link`;

/**
 * `takeLink` for a page of a checkout, and `takeLook` in the same statement: also whether the page may look at the processor
 * now.
 */
export async function takeLinkAndLook(
  tx: Tx,
  id: string,
  { link, look }: Buckets,
): Promise<{ wait: number; mayLook: boolean }> {
  const values = [
    `link_${id}`,
    link.size,
    link.per_minute / 60,
    `look_${id}`,
    look.size,
    look.per_minute / 60,
  ];
  const taken = await one<{ wait: number; may_look: boolean }>(tx, TAKE_LINK_AND_LOOK, values);
  return { wait: Math.ceil(taken.wait * 1000), mayLook: taken.may_look };
}

/** Whether a page about a checkout or a connected account may look at the processor now. */
export const takeLook = async (tx: Tx, id: string, { look }: Buckets): Promise<boolean> =>
  (await takeFromBucket(tx, `look_${id}`, look)) === 0;

/** The id of the bucket for mail of one kind to one address. It has a digest, never the address. */
export const recipientBucket = (...parts: string[]): string =>
  `mail_${createHash('sha256').update(parts.join('\n')).digest('base64url')}`;

/** How many tokens a bucket had before this transaction took one. */
export const tokensBefore = async (tx: Tx, id: string): Promise<number> =>
  1 + (await one<{ tokens: number }>(tx, `SELECT tokens FROM rate_limit_buckets WHERE id = $1`, [id])).tokens;

/** Gives back a token that was taken from a bucket, which holds no more than its size at the next one. */
export const returnToBucket = (tx: Tx, id: string): Promise<void> =>
  execute(tx, `UPDATE rate_limit_buckets SET tokens = tokens + 1 WHERE id = $1`, [id]);

/** Spends a proof of work by its id. Returns false if it was spent before. */
export const spendProof = async (tx: Tx, id: string): Promise<boolean> =>
  (await takeFromBucket(tx, `proof_${id}`, { size: 1, per_minute: 1 / 60 })) === 0;
