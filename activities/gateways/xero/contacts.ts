import { Contact } from './sdk.js';
import { AccountingRefusal } from '../../failures.js';
import type { Accounting, NewContact } from '../accounting.js';
import { acceptedElement, type XeroCall } from './client.js';
import { withAdvice } from './reasons.js';

const MAX_NAME = 255;

/** Creates and updates contacts, with our id as their number. */
export function createXeroContacts(call: XeroCall): Pick<Accounting, 'ensureContact'> {
  return {
    async ensureContact(workspaceId, contact, key) {
      const { number: contactNumber } = contact;
      const emailAddress = contact.email ?? '';
      // In a path, Xero may read the UUID of a company as its own id. Only a page says where a contact was
      // merged.
      const find = async (): Promise<Contact | undefined> => {
        const where = `ContactNumber=="${contactNumber}"`;
        const { contacts = [] } = await call(workspaceId, (api, tenant) =>
          api.getContacts(tenant, undefined, where, undefined, undefined, 1, true),
        );
        return contacts[0];
      };
      const known = await find();
      if (known?.mergedToContactID) return known.mergedToContactID;
      if (known?.contactStatus === Contact.ContactStatusEnum.ARCHIVED)
        throw new AccountingRefusal('contact archived', withAdvice(`The contact ${known.name} is archived`));
      const [name, distinctName] = namesFor(contact);
      if (known && [name, distinctName].includes(known.name!) && known.emailAddress === emailAddress)
        return known.contactID!;

      const save = async (name: string, key: string): Promise<string> => {
        const sent = { contacts: [{ contactNumber, name, emailAddress }] };
        try {
          const { contacts } = await call(workspaceId, (api, tenant) =>
            known
              ? api.updateContact(tenant, known.contactID!, sent, key)
              : api.createContacts(tenant, sent, true, key),
          );
          return acceptedElement(contacts).contactID!;
        } catch (error) {
          // Another invoice of the same payer may have created it in the meantime.
          const existing = !known && error instanceof AccountingRefusal && (await find());
          if (!existing) throw error;
          return existing.contactID!;
        }
      };
      try {
        return await save(name, key).catch((error: unknown) => {
          if (!(error instanceof AccountingRefusal) || !/contact name/i.test(error.reason)) throw error;
          return save(distinctName, `${key}:distinct`);
        });
      } catch (error) {
        // The documents of a known contact do not wait for its new name or address.
        if (!known || !(error instanceof AccountingRefusal)) throw error;
        return known.contactID!;
      }
    },
  };
}

/**
 * Returns two names, because names are unique in an organisation: the plain name, and one to use if it is
 * taken. Xero refuses angle brackets, leading, trailing and repeated spaces, and names that are too long.
 */
function namesFor({ name, number }: NewContact): [string, string] {
  const cleaned = name
    .replace(/[<>]/g, ' ')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const suffix = ` (${number.slice(-6)})`;
  const plain = cleaned || number;
  return [shortened(plain, MAX_NAME), shortened(plain, MAX_NAME - suffix.length) + suffix];
}

/** Returns the beginning of a text without cutting a character in half. */
const shortened = (text: string, length: number): string =>
  text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
