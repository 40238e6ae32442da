import { randomUUID } from 'node:crypto';
import { Refused } from '../http/errors.js';
import type { Contact } from '../state/records.js';
import type { Store } from '../state/store.js';

/** The fields of a contact in a request. */
export interface ContactInput {
  ContactID?: string;
  ContactNumber?: string;
  Name?: string;
  FirstName?: string;
  LastName?: string;
  EmailAddress?: string;
  ContactStatus?: 'ACTIVE' | 'ARCHIVED';
}

/** Creates a contact. Name and number must be unique. */
export function createContact(store: Store, tenant: string, input: ContactInput): Contact {
  if (!input.Name) throw new Refused(['The contact name must be specified.']);
  return keepContact(store, {
    id: randomUUID(),
    tenant,
    number: input.ContactNumber ?? null,
    name: input.Name,
    first_name: input.FirstName ?? null,
    last_name: input.LastName ?? null,
    email: input.EmailAddress ?? null,
    archived: false,
    updated_at: 0,
  });
}

/** Updates the given fields of a contact. */
export function updateContact(store: Store, contact: Contact, input: ContactInput): Contact {
  return keepContact(store, {
    ...contact,
    number: input.ContactNumber ?? contact.number,
    name: input.Name ?? contact.name,
    first_name: input.FirstName ?? contact.first_name,
    last_name: input.LastName ?? contact.last_name,
    email: input.EmailAddress ?? contact.email,
    archived: input.ContactStatus ? input.ContactStatus === 'ARCHIVED' : contact.archived,
  });
}

/** Finds a contact by its id, or else by its number, or else by its name among active ones. */
export function findContact(store: Store, tenant: string, input: ContactInput): Contact | undefined {
  const contacts = listContacts(store, tenant);
  if (input.ContactID) return contacts.find(({ id }) => id === input.ContactID);
  return (
    contacts.find(({ number }) => number !== null && number === input.ContactNumber) ??
    contacts.find(({ name, archived }) => !archived && isSameName(name, input.Name))
  );
}

export function listContacts(store: Store, tenant: string): Contact[] {
  return [...store.contacts.values()].filter((contact) => contact.tenant === tenant);
}

function keepContact(store: Store, contact: Contact): Contact {
  const { id, name, number, archived } = contact;
  if (/[<>]/.test(name)) throw new Refused(['The contact name cannot contain the characters < or >.']);
  if (name.trim() !== name || name.includes('  '))
    throw new Refused(['The contact name cannot start or end with a space or contain two spaces in a row.']);
  for (const other of listContacts(store, contact.tenant)) {
    if (other.id === id) continue;
    if (!archived && !other.archived && isSameName(other.name, name)) {
      throw new Refused([
        `The contact name ${name} is already assigned to another contact. The contact name must be ` +
          'unique across all active contacts.',
      ]);
    }
    if (number !== null && other.number === number) {
      throw new Refused([`The contact number ${number} is already assigned to another contact.`]);
    }
  }
  const kept = { ...contact, updated_at: Date.now() };
  store.contacts.set(id, kept);
  return kept;
}

function isSameName(one: string, other: string | undefined): boolean {
  return one.toLowerCase() === other?.trim().toLowerCase();
}
