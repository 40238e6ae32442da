import joi from 'joi';
import { email } from '../../http/fields.js';

/** Body of `POST /v1/guests/erase`. */
export const eraseSchema = joi
  .object({ email: email.required().description('The email address that the guest booked with.') })
  .required();
