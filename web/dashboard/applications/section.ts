import { proven, type Section } from '../shared/section.js';
import {
  applicationFields,
  registerApplication,
  removeApplication,
  showApplications,
} from './applications.js';

export const applications: Section = [
  {
    path: '/applications',
    capability: 'manage_keys',
    show: showApplications,
    forms: [
      ['', applicationFields, proven(registerApplication)],
      ['/:id/remove', {}, removeApplication],
    ],
  },
];
