import { SsoRefusal, type Identity } from './identity.js';
import { EMAIL_FORMAT, type SamlMetadata, type ServiceProvider } from './saml-metadata.js';
import {
  ASSERTION,
  readAttribute,
  child,
  children,
  childElements,
  isElement,
  malformed,
  onlyChild,
  shown,
  elementText,
} from './saml-xml.js';

/** The expected issuer, audience, request and time of an assertion. */
interface Expected {
  provider: SamlMetadata;
  sp: ServiceProvider;
  request_id: string;
  now: Date;
}

/** Allowed clock difference to providers. */
const SKEW_MS = 60_000;

/**
 * Reads the identity of a signed assertion after checking that this provider issued it for us, for this
 * request and for the current time. Throws an SsoRefusal.
 */
export function readSamlIdentity(
  assertion: Element,
  expected: Expected,
): Identity & { assertion_id: string; valid_until: Date } {
  const { provider, now } = expected;
  if (!isElement(assertion, ASSERTION, 'Assertion'))
    throw malformed('The signed element is not an assertion.');
  const issuer = elementText(onlyChild(assertion, ASSERTION, 'Issuer'));
  if (issuer !== provider.entity_id)
    throw new SsoRefusal(
      'wrong_issuer',
      `The assertion was issued by ${shown(issuer)}, not ${provider.entity_id}.`,
    );
  checkNotBefore(assertion, 'IssueInstant', now);
  const subject = onlyChild(assertion, ASSERTION, 'Subject');
  const validUntil = Math.min(
    checkConditions(onlyChild(assertion, ASSERTION, 'Conditions'), expected),
    checkConfirmation(subject, expected),
  );
  const { authenticated_at, ends_at } = authentication(assertion, now);
  const attributes = readAttributes(assertion);
  const nameId = readNameId(subject);
  return {
    subject: formatSubject(nameId, expected),
    email: readEmail(attributes, nameId),
    name: readName(attributes),
    authenticated_at,
    ends_at,
    claims: readClaims(attributes, assertion, nameId),
    assertion_id: readAttribute(assertion, 'ID')!,
    valid_until: new Date(validUntil + SKEW_MS),
  };
}

/**
 * Checks the conditions, which must name this service and contain only known ones. Returns until when they
 * hold.
 */
function checkConditions(conditions: Element, { sp, now }: Expected): number {
  checkNotBefore(conditions, 'NotBefore', now);
  const until = checkNotOnOrAfter(conditions, 'NotOnOrAfter', now);
  const known = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'];
  for (const condition of childElements(conditions))
    if (condition.namespaceURI !== ASSERTION || !known.includes(condition.localName))
      throw malformed(`The condition ${condition.localName} is not supported.`);
  const restrictions = children(conditions, ASSERTION, 'AudienceRestriction').map((each) =>
    children(each, ASSERTION, 'Audience').map(elementText),
  );
  const isForUs = restrictions.length > 0 && restrictions.every((each) => each.includes(sp.entity_id));
  if (!isForUs)
    throw new SsoRefusal(
      'wrong_audience',
      `The audience is ${shown(restrictions.flat().join(', '))}, not ${sp.entity_id}.`,
    );
  return until ?? Infinity;
}

/** Checks that one of the subject confirmations is for this service. Returns until when it holds. */
function checkConfirmation(subject: Element, expected: Expected): number {
  const confirmations = children(subject, ASSERTION, 'SubjectConfirmation').filter(
    (each) => readAttribute(each, 'Method') === 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
  );
  const refusals: SsoRefusal[] = [];
  for (const confirmation of confirmations) {
    try {
      return confirmedUntil(onlyChild(confirmation, ASSERTION, 'SubjectConfirmationData'), expected);
    } catch (error) {
      if (!(error instanceof SsoRefusal)) throw error;
      refusals.push(error);
    }
  }
  throw refusals[0] ?? malformed('The assertion has no subject confirmation for the bearer.');
}

function confirmedUntil(data: Element, { sp, request_id, now }: Expected): number {
  const recipient = readAttribute(data, 'Recipient');
  if (recipient !== sp.acs_url)
    throw new SsoRefusal('wrong_recipient', `The Recipient is ${shown(recipient)}, not ${sp.acs_url}.`);
  const answered = readAttribute(data, 'InResponseTo');
  if (answered !== request_id)
    throw new SsoRefusal(
      'unsolicited',
      `The subject confirmation responds to ${shown(answered)}, not ${request_id}.`,
    );
  checkNotBefore(data, 'NotBefore', now);
  const until = checkNotOnOrAfter(data, 'NotOnOrAfter', now);
  if (until === null) throw malformed('The subject confirmation has no expiry (NotOnOrAfter).');
  return until;
}

/** The earliest times of the statements, of which there must be one. */
function authentication(assertion: Element, now: Date): Pick<Identity, 'authenticated_at' | 'ends_at'> {
  const statements = children(assertion, ASSERTION, 'AuthnStatement');
  const instants = statements.map((each) => checkNotBefore(each, 'AuthnInstant', now));
  // Without a tolerance: the session would have ended before it starts.
  const ends = statements.map((each) => checkNotOnOrAfter(each, 'SessionNotOnOrAfter', now, 0));
  if (instants.length === 0 || instants.includes(null))
    throw malformed('The assertion does not say when the person signed in (AuthnStatement).');
  const end = Math.min(...ends.map((each) => each ?? Infinity));
  return {
    authenticated_at: new Date(Math.min(...(instants as number[]))),
    ends_at: Number.isFinite(end) ? new Date(end) : null,
  };
}

function checkNotBefore(element: Element, name: string, now: Date): number | null {
  const time = readTime(element, name);
  if (time !== null && now.getTime() + SKEW_MS < time) throw untimely('not_yet_valid', element, name, now);
  return time;
}

function checkNotOnOrAfter(element: Element, name: string, now: Date, skewMs = SKEW_MS): number | null {
  const time = readTime(element, name);
  if (time !== null && now.getTime() - skewMs >= time) throw untimely('expired', element, name, now);
  return time;
}

const untimely = (
  reason: 'expired' | 'not_yet_valid',
  element: Element,
  name: string,
  now: Date,
): SsoRefusal =>
  new SsoRefusal(
    reason,
    `${name} is ${readAttribute(element, name)}. The current time here is ${now.toISOString()}.`,
  );

/** SAML times are in UTC, even without a zone. */
function readTime(element: Element, name: string): number | null {
  const text = readAttribute(element, name);
  if (text === null) return null;
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:\d\d)?$/.exec(text);
  const time = match ? Date.parse(`${match[1]}${match[2] ?? 'Z'}`) : NaN;
  if (Number.isNaN(time)) throw malformed(`${name} is ${shown(text)}, which is not a valid time.`);
  return time;
}

interface NameId {
  format: string;
  value: string;
  nameQualifier: string | null;
  spNameQualifier: string | null;
}

const UNSPECIFIED_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
const TRANSIENT_FORMAT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const MAX_SUBJECT = 1_000;

function readNameId(subject: Element): NameId {
  const element = child(subject, ASSERTION, 'NameID');
  if (!element) throw new SsoRefusal('no_subject', 'The assertion has no unencrypted NameID.');
  return {
    format: readAttribute(element, 'Format') || UNSPECIFIED_FORMAT,
    value: elementText(element),
    nameQualifier: readAttribute(element, 'NameQualifier') || null,
    spNameQualifier: readAttribute(element, 'SPNameQualifier') || null,
  };
}

/**
 * The NameID as one text: `{format}|{value}`. If a qualifier is present and is not its default (the provider,
 * or this service): `{format}|{NameQualifier}|{SPNameQualifier}|{value}`. A `|` in a part is escaped.
 */
function formatSubject(nameId: NameId, { provider, sp }: Expected): string {
  const { format, value, nameQualifier, spNameQualifier } = nameId;
  if (format === TRANSIENT_FORMAT)
    throw new SsoRefusal(
      'no_subject',
      'The NameID is transient: it changes at each sign-in. Set its format to persistent or ' +
        'emailAddress at the provider.',
    );
  if (value.trim() === '') throw new SsoRefusal('no_subject', 'The NameID is empty.');
  const qualifiers = [
    nameQualifier === provider.entity_id ? '' : (nameQualifier ?? ''),
    spNameQualifier === sp.entity_id ? '' : (spNameQualifier ?? ''),
  ];
  const parts = [format, ...(qualifiers.some(Boolean) ? qualifiers : []), value];
  const subject = parts.map((part) => part.replace(/[%|]/g, encodeURIComponent)).join('|');
  if (subject.length > MAX_SUBJECT)
    throw new SsoRefusal('no_subject', `The NameID has more than ${MAX_SUBJECT} characters.`);
  return subject;
}

type Attributes = Map<string, string[]>;

/** The values of attributes by their names. A value that is not a text counts as its text. */
function readAttributes(assertion: Element): Attributes {
  const attributes: Attributes = new Map();
  const statements = children(assertion, ASSERTION, 'AttributeStatement');
  for (const attribute of statements.flatMap((each) => children(each, ASSERTION, 'Attribute'))) {
    const name = readAttribute(attribute, 'Name');
    if (!name) throw malformed('An attribute has no name.');
    const values = children(attribute, ASSERTION, 'AttributeValue').map((each) => each.textContent ?? '');
    attributes.set(name, [...(attributes.get(name) ?? []), ...values]);
  }
  return attributes;
}

/** The first of these attributes with a value. Names are case-insensitive. */
function firstAttribute(attributes: Attributes, names: string[]): string | null {
  for (const name of names)
    for (const [each, values] of attributes) {
      const value = values[0]?.trim();
      if (value && each.toLowerCase() === name.toLowerCase()) return value;
    }
  return null;
}

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const EMAIL = ['email', 'mail', `${CLAIMS}/emailaddress`, 'urn:oid:0.9.2342.19200300.100.1.3'];
const FULL_NAME = [
  'displayName',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'cn',
  'urn:oid:2.5.4.3',
];
const GIVEN_NAME = ['givenName', 'firstName', `${CLAIMS}/givenname`, 'urn:oid:2.5.4.42'];
const SURNAME = ['sn', 'surname', 'lastName', `${CLAIMS}/surname`, 'urn:oid:2.5.4.4'];
const MAX_TEXT = 500;

function readEmail(attributes: Attributes, { format, value }: NameId): string | null {
  const email = firstAttribute(attributes, EMAIL) ?? (format === EMAIL_FORMAT ? value.trim() : null);
  return email && /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254 ? email : null;
}

function readName(attributes: Attributes): string | null {
  const parts = [firstAttribute(attributes, GIVEN_NAME), firstAttribute(attributes, SURNAME)];
  const name = firstAttribute(attributes, FULL_NAME) ?? parts.filter(Boolean).join(' ');
  return name.slice(0, MAX_TEXT) || null;
}

function readClaims(attributes: Attributes, assertion: Element, nameId: NameId): Record<string, string> {
  const statement = children(assertion, ASSERTION, 'AuthnStatement')[0]!;
  const claims: [string, string | null][] = [
    ...[...attributes].map(([name, values]): [string, string] => [name, values.join(', ')]),
    ['NameID', nameId.value],
    ['NameID Format', nameId.format],
    ['NameID NameQualifier', nameId.nameQualifier],
    ['NameID SPNameQualifier', nameId.spNameQualifier],
    ['AuthnInstant', readAttribute(statement, 'AuthnInstant')],
    ['SessionNotOnOrAfter', readAttribute(statement, 'SessionNotOnOrAfter')],
  ];
  const said = claims.flatMap(([name, value]) => (value === null ? [] : [[name, value.slice(0, MAX_TEXT)]]));
  return Object.fromEntries(said) as Record<string, string>;
}
