import type { Section } from '../shared/section.js';
import { AT, signInForms } from './sign-in-forms.js';
import { showSignIn, signInQuery } from './sign-in.js';

export const signIn: Section = [
  { path: AT, capability: 'configure_sso', query: signInQuery, show: showSignIn, forms: signInForms },
];
