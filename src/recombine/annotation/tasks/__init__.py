"""What is asked of people, as data: tasks, flows of tasks, and what is refused at entry."""
