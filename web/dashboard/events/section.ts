import type { Section } from '../shared/section.js';
import { showEvent } from './event.js';
import { eventsQuery, showEvents } from './events.js';
import { redeliverAllRoute, redeliverForm } from './redeliver-forms.js';

export const events: Section = [
  {
    path: '/events',
    capability: 'manage_webhooks',
    query: eventsQuery,
    show: showEvents,
    forms: [redeliverAllRoute],
  },
  {
    path: '/events/:id',
    capability: 'manage_webhooks',
    show: showEvent,
    forms: [['/redeliver', {}, redeliverForm]],
  },
];
