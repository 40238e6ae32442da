import {
  listContacts,
  createContact,
  findContact,
  updateContact,
  type ContactInput,
} from '../bookkeeping/contacts.js';
import { notFound } from '../http/errors.js';
import { resource } from '../http/resource.js';
import type { Contact } from '../state/records.js';
import { presentContact } from './present.js';
import { CONTACT } from './schemas.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Customers. */
export const contactEndpoints = resource<Contact, ContactInput>({
  plural: 'Contacts',
  area: 'contacts',
  schema: CONTACT,
  present: (_store, contact) => presentContact(contact),
  records: ({ sim, organisation, query }) =>
    listContacts(sim.store, organisation.tenant_id).filter(
      ({ archived }) => !archived || query['includeArchived'] === 'true',
    ),
  filters: {
    IDs: ({ id }, wanted) => wanted.includes(id),
    searchTerm: ({ name, number, email }, [term = '']) =>
      [name, number, email].some((each) => each?.toLowerCase().includes(term.toLowerCase())),
  },
  /** The contact from the path, by its id or number. A UUID may be an id only: Xero does not say. */
  named({ sim, organisation, id }) {
    const contacts = listContacts(sim.store, organisation.tenant_id);
    const by = UUID.test(id) ? 'id' : 'number';
    const found = contacts.find((contact) => contact[by] === id);
    if (!found) throw notFound();
    return found;
  },
  create: ({ sim, organisation }, input) => createContact(sim.store, organisation.tenant_id, input),
  createOrUpdate({ sim: { store }, organisation: { tenant_id } }, input) {
    const known = findContact(store, tenant_id, input);
    if (known) return updateContact(store, known, input);
    if (input.ContactID) throw notFound();
    return createContact(store, tenant_id, input);
  },
  update: ({ sim }, contact, input) => updateContact(sim.store, contact, input),
});
