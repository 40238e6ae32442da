/** What happened, and what the person can do. */
type Words = readonly [what: string, todo: string];

const START_AGAIN = 'Go back to the application and start again.';
const ASK = 'If that doesn’t help, send the details below to the application’s developers.';

const WORDS: Record<string, Words> = {
  invalid_client: [
    'This application is not registered. It may have been deleted, or the link is wrong.',
    `Open the application again, or ask a workspace admin to register it. ${ASK}`,
  ],
  invalid_redirect_uri: [
    'The application tried to send you to an address that is not registered for it.',
    ASK,
  ],
  invalid_scope: [
    'The application requested no permissions, or permissions that do not exist.',
    `${START_AGAIN} ${ASK}`,
  ],
  invalid_request: ['The application sent an incomplete or outdated request.', `${START_AGAIN} ${ASK}`],
  unsupported_response_type: [
    'The application sent a request that is not supported.',
    `${START_AGAIN} ${ASK}`,
  ],
  access_denied: ['You denied the application access.', START_AGAIN],
  server_error: ['Something went wrong on our side.', 'Try again in a moment. No access was granted.'],
  temporarily_unavailable: ['This is temporarily unavailable.', 'Try again in a minute.'],
};

const OTHER: Words = ['The application could not be authorized.', `${START_AGAIN} ${ASK}`];

export const describeOAuthError = (code: string): Words => WORDS[code] ?? OTHER;
