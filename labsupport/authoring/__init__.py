"""How a solution notebook becomes everything else: answers, outputs, the student's notebook, the bundle."""
