import type Stripe from 'stripe';
import { unixNow, type Simulator } from '../simulator.js';
import { newId } from '../state/ids.js';
import type { Origin } from '../state/records.js';
import { nulls } from '../names.js';

type NewCustomer = Partial<Pick<Stripe.Customer, 'email' | 'name' | 'description' | 'metadata' | 'phone'>>;

/** Creates a customer. */
export function createCustomer(
  { store }: Simulator,
  { email, name, description, metadata, phone }: NewCustomer,
  origin: Origin,
): Stripe.Customer {
  const object: Stripe.Customer = {
    ...nulls('address currency customer_account default_source discount shipping test_clock'),
    id: newId('cus', 14),
    object: 'customer',
    balance: 0,
    created: unixNow(),
    delinquent: false,
    description: description ?? null,
    email: email ?? null,
    invoice_prefix: newId('x', 8).slice(2).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: metadata ?? {},
    name: name ?? null,
    next_invoice_sequence: 1,
    phone: phone ?? null,
    preferred_locales: [],
    tax_exempt: 'none',
  };
  return store.add(store.customers, object, origin).object;
}
