import { createHash, X509Certificate } from 'node:crypto';
import type { WorkspaceCertificates } from '../../db/queries/single-sign-on/single-sign-on.js';
import type { Tx } from '../../db/transaction.js';
import type { Day } from '../../domain/cycle.js';
import { cycleMoment } from '../../domain/subscriptions/member-cycle.js';
import { certificateNotice } from '../../domain/single-sign-on/providers.js';
import { enqueueMail } from '../mail/mails.js';

/**
 * Enqueues the due notices about the certificates of a workspace's provider, each once per certificate. If an
 * earlier notice was missed, only the later one is sent. A certificate that had already expired when the
 * settings were tested is not reported. Returns how many expire soon. `asOf`: the end of that day on the
 * workspace's clock, by default now. Throws for a certificate that cannot be read.
 */
export async function announceExpiring(
  tx: Tx,
  { workspace_id, time_zone, tested_at, certificates }: WorkspaceCertificates,
  { asOf, now }: { asOf: Day | undefined; now: Date },
): Promise<number> {
  const { moment } = cycleMoment(time_zone, asOf, now);
  let expiring = 0;
  for (const pem of certificates) {
    const notAfter = new Date(new X509Certificate(pem).validTo);
    const notice = certificateNotice(notAfter, moment);
    if (notice === null || notAfter < tested_at) continue;
    expiring++;
    const digest = createHash('sha256').update(pem).digest('hex');
    const about = [workspace_id, digest, notice, notAfter.toISOString()].join('/');
    await enqueueMail(tx, { kind: 'sso_certificate_expires', workspace_id, about });
  }
  return expiring;
}
