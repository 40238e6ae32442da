/**
 * Asks the owner to sign in by themselves for what their provider's word is not enough for.
 * `page`: where they return to.
 */
export const OwnSignIn = ({ name, page }: { name: string; page: string }) => (
  <div class="card proof">
    <p>
      You’re signed in through {name}. Who manages it could sign in as you, so this change needs a sign-in
      with your own email address. Nothing has been changed.
    </p>
    <p>
      <a class="button" href={`/sign-in?return_to=${encodeURIComponent(page)}`}>
        Sign in with your email address
      </a>
    </p>
  </div>
);
