import { AccountingRefusal } from '../../failures.js';
import type { Accounting, NewContact } from '../accounting.js';
import { orNull, type XeroCall } from './client.js';

/** Contacts, with our id as their number. */
export function createXeroContacts(call: XeroCall): Pick<Accounting, 'ensureContact'> {
  return {
    async ensureContact(workspaceId, contact, key) {
      const { number: contactNumber } = contact;
      const emailAddress = contact.email ?? '';
      const find = async () =>
        (await orNull(() => call(workspaceId, (api, tenant) => api.getContact(tenant, contactNumber))))
          ?.contacts![0];
      const known = await find();
      const [name, distinctName] = namesFor(contact);
      if (known && [name, distinctName].includes(known.name!) && known.emailAddress === emailAddress)
        return known.contactID!;

      const save = async (name: string, key: string): Promise<string> => {
        const sent = { contacts: [{ contactNumber, name, emailAddress }] };
        try {
          const { contacts } = await call(workspaceId, (api, tenant) =>
            known
              ? api.updateContact(tenant, known.contactID!, sent, key)
              : api.createContacts(tenant, sent, undefined, key),
          );
          return contacts![0]!.contactID!;
        } catch (error) {
          // Another invoice of the same payer may have created it meanwhile.
          const existing = !known && error instanceof AccountingRefusal && (await find());
          if (!existing) throw error;
          return existing.contactID!;
        }
      };
      try {
        return await save(name, key);
      } catch (error) {
        if (!(error instanceof AccountingRefusal) || !/contact name/i.test(error.reason)) throw error;
        return save(distinctName, `${key}:distinct`);
      }
    },
  };
}

/** Names are unique in an organisation: the plain name, and another to use if that is taken. */
function namesFor({ name, number }: NewContact): [string, string] {
  return [name, `${name} (${number.slice(-6)})`];
}
