document.querySelector('[data-submits]').submit();
