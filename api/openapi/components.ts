import type joi from 'joi';
import { apiKey } from '../api-keys/openapi.js';
import { auditEntry } from '../audit-log/openapi.js';
import { booking } from '../bookings/responses.js';
import { company } from '../companies/openapi.js';
import { event } from '../events/responses.js';
import { invoice, line } from '../invoices/responses.js';
import { member } from '../members/responses.js';
import { oauthClient } from '../oauth/openapi.js';
import { payment } from '../payments/responses.js';
import { blackout, room } from '../rooms/responses.js';
import { webhookEndpoint } from '../webhook-endpoint/responses.js';
import { workspace } from '../workspace/responses.js';
import { jsonSchemaOf, type JsonSchema } from './json-schema.js';
import { money } from './shapes.js';

/** What has a name of its own in the document. */
const NAMED: Record<string, joi.Schema> = {
  ApiKey: apiKey,
  AuditEntry: auditEntry,
  Blackout: blackout,
  Booking: booking,
  Company: company,
  Event: event,
  Invoice: invoice,
  InvoiceLine: line,
  Member: member,
  Money: money,
  OAuthClient: oauthClient,
  Payment: payment,
  Room: room,
  WebhookEndpoint: webhookEndpoint,
  Workspace: workspace,
};

const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Named schemas, and a way to put their names where one of them stands in a larger schema. */
export function nameSchemas(): {
  schemas: Record<string, JsonSchema>;
  named: (json: JsonSchema) => JsonSchema;
} {
  const plain = Object.entries(NAMED).map(([name, schema]) => [name, jsonSchemaOf(schema)] as const);
  const names = new Map(plain.map(([name, json]) => [JSON.stringify(json), name]));
  const named = (json: any): any => {
    if (json === null || typeof json !== 'object') return json;
    const name = json.type === 'object' && names.get(JSON.stringify(json));
    return name ? refTo(name) : within(json);
  };
  const within = (json: any): any =>
    Array.isArray(json)
      ? json.map(named)
      : Object.fromEntries(Object.entries(json).map(([key, inner]) => [key, named(inner)]));
  return { schemas: Object.fromEntries(plain.map(([name, json]) => [name, within(json)])), named };
}
