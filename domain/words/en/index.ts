import { mail } from './mail.js';
import { page } from './page.js';
import { documents } from './documents.js';
import { payer } from './payer.js';
import { terms } from './terms.js';

export const en = { ...terms, ...page, ...payer, ...mail, ...documents };
