// Copy buttons. Without a script they stay hidden, and the text can be selected.
for (const button of document.querySelectorAll('button[data-copies]')) {
  const shown = document.getElementById(button.dataset.copies);
  const label = button.textContent;
  if (!shown || !navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener('click', () =>
    navigator.clipboard.writeText(shown.value ?? shown.innerText).then(
      () => {
        button.textContent = 'Copied';
        setTimeout(() => {
          button.textContent = label;
        }, 1500);
      },
      () => {
        const range = document.createRange();
        range.selectNodeContents(shown);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
      },
    ),
  );
}
