import { randomBytes } from 'node:crypto';
import { secretContext } from '../../../../db/queries/events/webhook-endpoint.js';
import type { ApiDependencies } from '../../../dependencies.js';

/** A new signing secret (docs/rules/events.md#signatures). */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** A secret as it is stored. */
export const encryptSecret = (
  { encryption }: Pick<ApiDependencies, 'encryption'>,
  secret: string,
  workspaceId: string,
): Buffer => encryption.encrypt(secret, secretContext(workspaceId));
