"""Knowledge: who the person is and what matters to them."""
