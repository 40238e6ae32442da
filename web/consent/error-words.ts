/** What people read when an application cannot be authorized, and what they can do. */
type Words = readonly [what: string, todo: string];

const START_AGAIN = 'Go back to the application and start again.';
const ASK = 'Tell the people who make the application; they find the reason below.';

/** By the code of OAuth. */
const WORDS: Record<string, Words> = {
  invalid_client: [
    'We do not know this application. It may have been removed from the workspace, or the link is wrong.',
    `Open the application again. If this remains, ask an admin of the workspace to register it. ${ASK}`,
  ],
  invalid_redirect_uri: [
    'The application wants you to return to an address that is not registered for it, so we stopped here.',
    ASK,
  ],
  invalid_scope: ['The application asked for rights that do not exist, or for none.', ASK],
  invalid_request: ['The application sent an incomplete or outdated request.', `${START_AGAIN} ${ASK}`],
  unsupported_response_type: ['The application asked in a way that is not supported.', ASK],
  access_denied: ['You did not allow the access, so the application got none.', START_AGAIN],
  server_error: ['Something went wrong on our side.', 'Try again in a moment. Nothing was allowed.'],
  temporarily_unavailable: ['This is not available at the moment.', 'Try again in a minute.'],
};

const OTHER: Words = ['The application could not be authorized.', `${START_AGAIN} ${ASK}`];

/** What an error of the authorization server means to the person in front of it. */
export const describeOAuthError = (code: string): Words => WORDS[code] ?? OTHER;
