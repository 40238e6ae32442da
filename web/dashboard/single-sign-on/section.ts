import type { Section } from '../shared/section.js';
import { AT, signInForms } from './forms.js';
import { showSignIn, signInQuery } from './single-sign-on.js';

export const signIn: Section = [
  { path: AT, capability: 'configure_sso', query: signInQuery, show: showSignIn, forms: signInForms },
];
