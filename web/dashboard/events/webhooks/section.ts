import { formIdFields } from '../../shared/form.js';
import { proven, type Section } from '../../shared/section.js';
import {
  deleteFromPage,
  endpointFields,
  putFromPage,
  rotateSecretFromPage,
  testFromPage,
} from './webhook-actions.js';
import { showWebhooks } from './webhooks.js';

export const webhooks: Section = [
  {
    path: '/webhooks',
    capability: 'manage_webhooks',
    show: showWebhooks,
    forms: [
      ['', endpointFields, proven(putFromPage)],
      ['/test', {}, testFromPage],
      ['/rotate-secret', formIdFields, proven(rotateSecretFromPage)],
      ['/remove', {}, deleteFromPage],
    ],
  },
];
