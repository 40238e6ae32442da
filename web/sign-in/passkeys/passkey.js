for (const form of document.querySelectorAll('form[data-passkey]')) {
  const { passkey, rp } = form.dataset;
  const host = location.hostname;
  if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON || !(host === rp || host.endsWith('.' + rp)))
    continue;
  form.hidden = false;
  document.querySelector('[data-no-passkey]')?.remove();
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    const problem = form.querySelector('[role=alert]');
    const fail = (text) => {
      problem.textContent = text;
      problem.hidden = false;
      button.disabled = false;
    };
    button.disabled = true;
    problem.hidden = true;
    try {
      const body = new URLSearchParams(form.elements.csrf && { csrf: form.elements.csrf.value });
      const response = await fetch('/passkeys/options/' + passkey, { method: 'POST', body });
      if (!response.ok || response.redirected) return fail(form.dataset.expired);
      const options = await response.json();
      const credential =
        passkey === 'register'
          ? await navigator.credentials.create({
              publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
            })
          : await navigator.credentials.get({
              publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
            });
      form.elements.passkey.value = JSON.stringify(credential.toJSON());
      form.submit();
    } catch (error) {
      fail(error.name === 'InvalidStateError' ? form.dataset.exists : form.dataset.failed);
    }
  });
}
