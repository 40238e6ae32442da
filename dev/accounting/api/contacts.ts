import {
  contactsOf,
  createContact,
  findContact,
  updateContact,
  type ContactInput,
} from '../bookkeeping/contacts.js';
import { endpoint, type Call } from '../http/endpoint.js';
import { saveAll } from '../http/elements.js';
import { notFound } from '../http/errors.js';
import { listOf } from '../http/listing.js';
import { presentContact } from './present.js';
import { CONTACT } from './schemas.js';

/** Customers. */
export const contactEndpoints = [
  endpoint('get', '/Contacts', 'contacts', (call) =>
    listOf(call, {
      plural: 'Contacts',
      records: contactsOf(call.sim.store, call.organisation.tenant_id).filter(
        ({ archived }) => !archived || call.query['includeArchived'] === 'true',
      ),
      present: presentContact,
      filters: {
        IDs: ({ id }, wanted) => wanted.includes(id),
        searchTerm: ({ name, number, email }, [term = '']) =>
          [name, number, email].some((each) => each?.toLowerCase().includes(term.toLowerCase())),
      },
    }),
  ),

  endpoint('get', '/Contacts/:id', 'contacts', (call) => ({ Contacts: [presentContact(named(call))] })),

  endpoint('put', '/Contacts', 'contacts', (call) =>
    saveAll(call, 'Contacts', CONTACT, (input) =>
      presentContact(createContact(call.sim.store, call.organisation.tenant_id, input)),
    ),
  ),

  endpoint('post', '/Contacts', 'contacts', (call) =>
    saveAll(call, 'Contacts', CONTACT, (input) => presentContact(createOrUpdate(call, input))),
  ),

  endpoint('post', '/Contacts/:id', 'contacts', (call) => {
    const contact = named(call);
    return saveAll(call, 'Contacts', CONTACT, (input) =>
      presentContact(updateContact(call.sim.store, contact, input)),
    );
  }),
];

function createOrUpdate({ sim: { store }, organisation: { tenant_id } }: Call, input: ContactInput) {
  const known = findContact(store, tenant_id, input);
  if (known) return updateContact(store, known, input);
  if (input.ContactID) throw notFound();
  return createContact(store, tenant_id, input);
}

/** The contact in the path, by its id or number. */
function named({ sim, organisation, id }: Call) {
  const found = contactsOf(sim.store, organisation.tenant_id).find(
    (contact) => contact.id === id || contact.number === id,
  );
  if (!found) throw notFound();
  return found;
}
