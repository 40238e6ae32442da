import { X509Certificate } from 'node:crypto';
import {
  CERTIFICATE_NOTICE_DAYS,
  certificateNotice,
  type SsoProvider,
} from '../../../domain/single-sign-on/providers.js';
import type { ApiContext } from '../../../api/http/context.js';
import { certificateDates } from '../../sign-in/single-sign-on/saml.js';
import { createFormats } from '../../ui/formats.js';
import { FactCard } from '../shared/action.js';

interface Settings {
  name: string;
  provider: SsoProvider;
  client_secret: Buffer | null;
}

/** A certificate of the provider with warnings about its dates, which are not enforced. */
function Certificate({ ctx, pem }: { ctx: ApiContext; pem: string }) {
  const { not_before, not_after } = certificateDates(pem);
  const { day } = createFormats(ctx);
  const now = new Date();
  const problem =
    not_after < now
      ? 'Sign-in still works while the provider signs with this certificate. Replace it soon.'
      : not_before > now
        ? `It is valid from ${day(not_before)}.`
        : certificateNotice(not_after, now)
          ? `It expires soon. You get an email ${CERTIFICATE_NOTICE_DAYS.join(' and ')} days before.`
          : null;
  return (
    <p class="certificate">
      {not_after < now ? 'Expired' : 'Valid until'} {day(not_after)}
      <small>SHA-256 {new X509Certificate(pem).fingerprint256.slice(0, 23)}…</small>
      {problem && <span class="alert">{problem}</span>}
    </p>
  );
}

/** The saved provider settings, without the secret. */
export function ProviderFacts({ ctx, of, tested }: { ctx: ApiContext; of: Settings; tested?: Date }) {
  const { provider, name, client_secret } = of;
  return (
    <FactCard
      of={[
        ['Button label', name],
        ...(provider.protocol === 'oidc'
          ? ([
              ['Protocol', 'OpenID Connect'],
              ['Issuer', provider.issuer],
              ['Client ID', provider.client_id],
              ['Client secret', client_secret ? 'saved' : 'none'],
            ] as const)
          : ([
              ['Protocol', 'SAML 2.0'],
              ['Entity ID', provider.entity_id],
              ['Sign-on URL', provider.sso_url],
              [
                'Requests',
                `${provider.binding === 'post' ? 'POST' : 'redirect'}, ` +
                  `${provider.sign_requests ? 'signed' : 'not signed'}`,
              ],
              [
                provider.certificates.length > 1 ? 'Certificates' : 'Certificate',
                provider.certificates.map((pem) => <Certificate key={pem} ctx={ctx} pem={pem} />),
              ],
            ] as const)),
        tested && ['Tested', createFormats(ctx).moment(tested)],
      ]}
    />
  );
}
