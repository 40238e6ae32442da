import { endpoint } from '../http/endpoint.js';
import { emptyable, flag, list, metadata, required, text, url } from '../http/params.js';
import { buildRegistration, newSecret, registrationVia } from '../registrations.js';
import { newId } from '../state/ids.js';
import { mergeMetadata, resource } from '../http/resource.js';

const PARAMS = {
  description: emptyable(text()),
  enabled_events: list(text(), 500),
  metadata: metadata(),
  url: url(),
};

const registrations = resource(
  '/v1/webhook_endpoints',
  (store) => store.webhook_endpoints,
  'webhook_endpoint',
);

/** Registrations of webhook receivers. `connect` and `api_version` are set at creation only. */
export const webhookEndpointEndpoints = [
  endpoint(
    'post',
    '/v1/webhook_endpoints',
    {
      ...PARAMS,
      enabled_events: required(PARAMS.enabled_events),
      url: required(PARAMS.url),
      api_version: text(),
      connect: flag(),
    },
    ({ sim, params, origin }) => {
      const { enabled_events, url, description, api_version, connect, metadata } = params;
      const via = registrationVia(enabled_events);
      const secret = sim.webhookSecrets[via] ?? newSecret();
      const object = buildRegistration({
        id: newId('we'),
        api_version: api_version ?? null,
        description: description ?? null,
        enabled_events,
        metadata: metadata ?? {},
        url,
      });
      sim.store.add(sim.store.webhook_endpoints, object, origin, { connect: connect ?? false, via, secret });
      return { ...object, secret };
    },
  ),

  registrations.list(),
  registrations.retrieve(),

  endpoint('post', '/v1/webhook_endpoints/:id', { ...PARAMS, disabled: flag() }, (call) => {
    const { webhook_endpoints: table } = call.sim.store;
    const stored = registrations.find(call);
    const { description, enabled_events, url, disabled } = call.params;
    const changed = call.sim.store.patch(table, stored, {
      ...(description !== undefined && { description }),
      ...(enabled_events && { enabled_events }),
      ...(url && { url }),
      ...(disabled !== undefined && { status: disabled ? 'disabled' : 'enabled' }),
      metadata: mergeMetadata(stored.object.metadata, call.params.metadata),
    });
    table.set(changed.object.id, { ...changed, via: registrationVia(changed.object.enabled_events) });
    return changed.object;
  }),

  endpoint('delete', '/v1/webhook_endpoints/:id', {}, (call) => {
    const { id } = registrations.find(call).object;
    call.sim.store.webhook_endpoints.delete(id);
    return { id, object: 'webhook_endpoint', deleted: true };
  }),
];
